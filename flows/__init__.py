"""Flows: Prefect, files on disk, the command line, certificates and reports.

Importing anything of it switches telemetry and downloads off first, also where Prefect loads the flow by itself.
"""

from flows.offline import stay_offline

stay_offline()

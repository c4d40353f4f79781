"""A Prefect server on PostgreSQL: a run goes through it, and no row of any table tells of an input."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.postgres import dump, postgres
from tests.chaos.world import Server
from tests.test_canary_sweep import IDENTITIES, SWEEP, Stage, run, telling


@pytest.mark.slow
def test_no_table_of_a_prefect_server_on_postgresql_tells_anybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in ("private", "world", "server")]
    for folder in folders[:2]:
        folder.mkdir()
    with postgres() as database:
        monkeypatch.setenv("PREFECT_SERVER_DATABASE_CONNECTION_URL", f"postgresql+asyncpg://{database}")
        with Server(folders[2]) as server:
            monkeypatch.setenv("PREFECT_API_URL", server.address)
            world, record = run(Stage(*folders[:2]), telling)
        tables = dump(database)
    assert world.exit_codes == [1], world.printed[-2000:]
    assert record["status"] == "halted"
    assert not list(tmp_path.rglob("prefect.db")), "the server was on SQLite"
    assert f"Halted: {record['halted_at']}".encode() in tables, "the run is not in these tables"
    assert not SWEEP.holds(tables)
    assert SWEEP.holds(tables + IDENTITIES[7].encode()), "a control"
    world.assert_clean()

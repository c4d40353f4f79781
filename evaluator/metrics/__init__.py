"""One file a metric; `evaluator.quality.METRICS` lists them."""

"""Training: DP-SGD LoRA on a synthetic set, with its accounting."""

"""The smallest model of the architecture of Qwen2.5: random weights, and a tokeniser of single bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def write_tiny_qwen2(folder: Path, context_tokens: int = 1_024) -> None:
    """Writes it as a model of the hub has its folder.

    Args:
        folder: Where.
        context_tokens: Most tokens that it says it reads.
    """
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

    marks = ["<|im_start|>", "<|im_end|>"]
    alphabet = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=alphabet, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    make: Any = PreTrainedTokenizerFast
    fast = make(tokenizer_object=tokenizer, eos_token=marks[1], additional_special_tokens=marks, chat_template=CHATML)
    fast.save_pretrained(folder)
    torch.manual_seed(1)
    config = Qwen2Config(
        vocab_size=320,
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context_tokens,
        eos_token_id=fast.convert_tokens_to_ids(marks[1]),
        bos_token_id=None,
        tie_word_embeddings=False,
    )
    net: Any = Qwen2ForCausalLM(config)
    net.to(torch.bfloat16).save_pretrained(folder)

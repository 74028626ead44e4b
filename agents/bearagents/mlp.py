"""A policy's network: its layers, its ONNX model, and how it is computed.

The network is a multilayer perceptron with ReLU, so a list of layers says all. :func:`encode` writes it as an ONNX
model that any runtime computes. :func:`decode` takes such a model and nothing else: it reads the weights, and refuses
a model that differs in any node, name or attribute from the one that these weights make. What :class:`Mlp` hands to
onnxruntime is always made here, so a file from elsewhere has no say in what is run.

onnx and onnxruntime are imported when first needed; torch never is.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Layers = list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]
"""Each layer's weight (inputs, outputs) and bias (outputs,); between two layers is a ReLU."""

MAX_BYTES = 2_000_000
"""No model that is written or read is larger."""
INPUT, OUTPUT = "observation", "logits"
IR_VERSION, OPSET = 8, 17  # what every runtime since 2022 reads


class Mlp:
    """Computes ``layers`` by onnxruntime, on one thread, in float32.

    Measured beside the same products in NumPy, in one process: as fast for one row, and about twice as fast for many.
    """

    def __init__(self, layers: Layers) -> None:
        import onnxruntime  # noqa: PLC0415  # of the extra 'policies'

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # more would wait for each other, spinning
        options.log_severity_level = 3  # errors
        model = _model(layers, np.float32).SerializeToString()
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def __call__(self, observation: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return the logits (n, outputs) for observations (n, inputs)."""
        logits: npt.NDArray[np.float32] = self._session.run(None, {INPUT: observation})[0]
        return logits


def encode(layers: Layers) -> bytes:
    """Return the ONNX model of ``layers``: float32, or with weights in float16 if it would be too large otherwise.

    ValueError if that is too large as well.
    """
    data = b""
    for dtype in (np.float32, np.float16):
        data = bytes(_model(layers, dtype).SerializeToString())
        if len(data) <= MAX_BYTES:
            return data
    raise ValueError(f"a network of {len(data):,} bytes in float16; {MAX_BYTES:,} are allowed: train a smaller one")


def decode(data: bytes, sizes: Sequence[int]) -> Layers:
    """Return the layers of a model that :func:`encode` wrote, of ``sizes`` (inputs, hidden ..., outputs).

    ValueError for anything else: damaged, of other sizes, with other operators, with weights in other files.
    """
    import onnx  # noqa: PLC0415  # of the extra 'policies'

    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data):,} bytes, and {MAX_BYTES:,} are allowed")
    try:
        model = onnx.ModelProto.FromString(data)
    except Exception:  # of protobuf's own kind
        raise ValueError("not an ONNX model") from None
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    layers, dtypes = [], set()
    for k, (inputs, outputs) in enumerate(pairwise(sizes)):
        weight, bias = (_array(tensors, name) for name in _names(k))
        if (weight.shape, bias.shape) != ((inputs, outputs), (outputs,)):
            raise ValueError(f"layer {k} is {weight.shape} and {bias.shape}, not {inputs} to {outputs}")
        dtypes.add(weight.dtype)
        layers.append((weight.astype(np.float32), bias.astype(np.float32)))
    if not all(np.isfinite(array).all() for layer in layers for array in layer):
        raise ValueError("its weights are not finite")
    # The weights have been read; all the rest has to be as it is written here.
    if len(dtypes) != 1 or model != _model(layers, dtypes.pop()):
        raise ValueError("not a network as 'bearenvs export' writes it")
    return layers


def _array(tensors: dict[str, Any], name: str) -> npt.NDArray[Any]:
    from onnx import TensorProto, numpy_helper  # noqa: PLC0415

    tensor = tensors.get(name)
    if tensor is None:
        raise ValueError(f"it has no {name}")
    kinds = {TensorProto.FLOAT: 4, TensorProto.FLOAT16: 2}
    if tensor.data_location != TensorProto.DEFAULT or tensor.external_data:
        raise ValueError(f"{name} lies in another file")
    size = kinds.get(tensor.data_type, 0) * int(np.prod([int(size) for size in tensor.dims], dtype=object))
    if not size or len(tensor.raw_data) != size:
        raise ValueError(f"{name} is not {list(tensor.dims)} of float32 or float16")
    return np.asarray(numpy_helper.to_array(tensor))


def _names(layer: int) -> tuple[str, str]:
    return f"weight_{layer}", f"bias_{layer}"


def _model(layers: Layers, dtype: npt.DTypeLike) -> Any:
    """Return the model proto of ``layers``, its weights stored as ``dtype``; it computes in float32."""
    from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415

    nodes, tensors = [], []
    value = INPUT
    for k, arrays in enumerate(layers):
        used = []
        for name, array in zip(_names(k), arrays, strict=True):
            tensors.append(numpy_helper.from_array(np.ascontiguousarray(array, dtype), name))
            used.append(name)
            if np.dtype(dtype) == np.float16:
                nodes.append(helper.make_node("Cast", [name], [f"{name}_wide"], to=TensorProto.FLOAT))
                used[-1] = f"{name}_wide"
        is_last = k == len(layers) - 1
        nodes.append(helper.make_node("Gemm", [value, *used], [OUTPUT if is_last else f"sum_{k}"]))
        if not is_last:
            nodes.append(helper.make_node("Relu", [f"sum_{k}"], [f"hidden_{k}"]))
        value = f"hidden_{k}"
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, ["n", layers[0][0].shape[0]])],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, ["n", layers[-1][0].shape[1]])],
        tensors,
    )
    opsets = [helper.make_opsetid("", OPSET)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="bearenvs")

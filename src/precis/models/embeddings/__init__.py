"""Turning texts into unit vectors: a table shipped with precis, an ONNX model in a folder, or an endpoint."""

from precis.models.embeddings.by_model import EndpointEmbedder, OnnxEmbedder
from precis.models.embeddings.by_table import StaticEmbedder, Vectors, WordPiece

__all__ = ["EndpointEmbedder", "OnnxEmbedder", "StaticEmbedder", "Vectors", "WordPiece"]

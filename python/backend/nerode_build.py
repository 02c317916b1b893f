"""The build backend: maturin, with a one-line error that names what to install if no Rust compiler is found."""

import shutil

from maturin import *  # noqa: F403
from maturin import build_editable as _build_editable
from maturin import build_wheel as _build_wheel
from maturin import prepare_metadata_for_build_wheel as _prepare_metadata


def _must_have_cargo():
    """Ends the build if cargo is missing, because maturin would try to install it."""
    if shutil.which("cargo") is None:
        raise SystemExit("nerode is compiled from source, which needs Rust 1.95 or later: install it from https://rustup.rs")


def get_requires_for_build_wheel(config_settings=None):
    _must_have_cargo()
    return []


def get_requires_for_build_editable(config_settings=None):
    _must_have_cargo()
    return []


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    _must_have_cargo()
    return _prepare_metadata(metadata_directory, config_settings)


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _must_have_cargo()
    return _build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _must_have_cargo()
    return _build_editable(wheel_directory, config_settings, metadata_directory)

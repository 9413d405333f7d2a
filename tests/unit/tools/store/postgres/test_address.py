"""tools.store.postgres.address: what may be shown of an address, and what is none."""

from __future__ import annotations

import pytest

from tools.store.postgres.address import AddressError, StoreAddress, is_address

SECRET = "s3cret"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("postgresql://desk:s3cret@db.example:5433/filings", "postgresql://desk@db.example:5433/filings"),
        ("postgres://desk:s3cret@db/filings?sslmode=require", "postgresql://desk@db/filings"),
        ("postgresql://db/filings?user=desk&password=s3cret", "postgresql://db/filings"),
        (
            "postgresql://desk@/filings?host=/run/pg&password=s3cret",
            "postgresql://desk@/filings?host=/run/pg",
        ),
        ("  postgresql:///filings ", "postgresql:///filings"),
    ],
)
def test_an_address_is_shown_without_its_password(given: str, shown: str) -> None:
    address = StoreAddress.of(given)
    assert (address.shown, str(address)) == (shown, shown)
    assert SECRET not in repr(address)
    assert address.has_password == (SECRET in given)
    assert address.secret == given.strip()


@pytest.mark.parametrize("given", ["mysql://desk:s3cret@db/x", "postgresql://desk:s3cret@db:port/x", ""])
def test_what_is_no_address_is_refused_without_being_repeated(given: str) -> None:
    with pytest.raises(AddressError, match="postgresql://") as refused:
        StoreAddress.of(given)
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_folder_is_no_address() -> None:
    assert (
        is_address("PostgreSQL://db/x") and not is_address("postgresql") and not is_address("./postgresql:x")
    )

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
        ("postgresql://db/filings?pass%77ord=s3cret", "postgresql://db/filings"),
        ("postgresql://db/filings?%20password=s3cret", "postgresql://db/filings"),
        ("postgresql://db/filings?sslpassword=s3cret", "postgresql://db/filings"),
        ("postgresql://desk:s3cret@one:5432,two/filings", "postgresql://desk@one:5432,two/filings"),
        ("postgresql://desk:s3cret@[::1]:5432/filings", "postgresql://desk@[::1]:5432/filings"),
        ("  postgresql:///filings ", "postgresql:///filings"),
    ],
)
def test_an_address_is_shown_without_its_password(given: str, shown: str) -> None:
    address = StoreAddress.of(given)
    assert (address.shown, str(address)) == (shown, shown)
    assert SECRET not in repr(address)
    assert address.has_password == (SECRET in given)
    assert address.secret == given.strip()


@pytest.mark.parametrize(
    "given",
    [
        "mysql://desk:s3cret@db/x",
        "postgresql://desk:s3cret@db:port/x",
        "postgresql://desk:12#s3cret@db/x",
        "postgresql://desk:1?s3cret@db/x",
        "postgresql://desk:1/s3cret@db/x",
        "postgresql://desk:1@2:s3cret@db/x",
        "",
    ],
)
def test_what_is_no_address_is_refused_without_being_repeated(given: str) -> None:
    with pytest.raises(AddressError, match="postgresql://") as refused:
        StoreAddress.of(given)
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_folder_is_no_address() -> None:
    assert (
        is_address("PostgreSQL://db/x") and not is_address("postgresql") and not is_address("./postgresql:x")
    )


def test_an_address_says_whether_it_says_more_than_where_the_database_is() -> None:
    assert not StoreAddress.of("postgresql://desk@/filings?host=/run/pg&port=5433").has_options
    assert StoreAddress.of("postgresql://desk@db/filings?sslmode=verify-full").has_options

"""tools.store.postgres.database: connections that threads take in turn."""

from __future__ import annotations

import pytest

from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database

pytestmark = pytest.mark.usefixtures("vectors_here")


def test_a_connection_in_use_is_closed_after_its_query_where_the_database_was_closed_meanwhile(
    address: StoreAddress,
) -> None:
    database = Database(address)
    with database.reading() as idle:
        pass
    with database.reading() as used:
        assert used is idle, "it is kept for the next"
        database.close()
        assert used.execute("SELECT 1").fetchone() == (1,)
    assert used.closed
    with database.reading() as later:
        assert later.execute("SELECT 2").fetchone() == (2,)
    assert later.closed

"""The ground of the store: connections, transactions, named queries, migrations. It knows no resource."""

test: run the command-line and server suites over PostgreSQL

CHECK_POSTGRES=1 gives each data directory of these tests its own database, so
that differences between the two stores are found by tests that exist.

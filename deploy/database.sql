-- The service's own role and database. The image of PostgreSQL runs this once, as its superuser, while the volume is empty.
-- The role owns its database and may do nothing else: see docs/database.md, "Role and rights".
\getenv password POSTCODE_DATABASE_PASSWORD

CREATE ROLE postcode LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE postcode OWNER postcode TEMPLATE template0 ENCODING 'UTF8';
REVOKE ALL ON DATABASE postcode FROM PUBLIC;
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON DATABASE template1 FROM PUBLIC;

#!/bin/sh
# Does what the entry point of the image of nginx does for compose.yaml: fills in the templates, and starts nginx.
set -eu
for template in /etc/nginx/templates/*.template; do
  # shellcheck disable=SC2016
  envsubst '${POSTCODE_PROXY}' < "$template" > "$NGINX_ENVSUBST_OUTPUT_DIR/$(basename "$template" .template)"
done
exec nginx -e stderr -g 'daemon off;'

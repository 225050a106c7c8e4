# The service in one small image, built from this checkout: docker build -t postcode-gateway .
#
# The first stage has everything that building takes; of it, only the command's bundle goes into the second, which is
# all JavaScript and needs nothing but Node.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
# Installs with the pinned pnpm, and builds the command.
RUN npm run -s postcode -- --version \
  && mkdir -p /app/packages/cli/dist \
  && cp packages/cli/dist/*.js packages/cli/dist/*.txt /app/packages/cli/dist/ \
  && cp packages/cli/package.json /app/packages/cli/ \
  && cp LICENSE /app/

FROM node:24-alpine
WORKDIR /app
COPY --from=build /app .
# The image of Node has an ordinary user of this name. It can write nowhere but to /tmp.
USER node
ENV NODE_ENV=production POSTCODE_HOST=0.0.0.0 POSTCODE_PORT=3000
EXPOSE 3000
# Readiness is for balancers: a container that drains, or whose database is away, must not be killed for it.
HEALTHCHECK --interval=5s --timeout=2s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.POSTCODE_PORT}/v1/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM reaches the service itself, which drains, and stores what is left.
# Without limits Node's heap grows to several times of what is in use, on a machine that has so much. Directories lie outside.
ENTRYPOINT ["node", "--max-old-space-size=512", "--max-semi-space-size=8", "/app/packages/cli/dist/main.js"]
CMD ["serve"]

/** `compose.yaml` and what it mounts: what its containers may do, who has which password, and whose address counts. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { readComposeFile } from "../../../../drills/containers/ComposeFile.ts"
import { root } from "../../../../drills/containers/root.ts"

const read = (path: string): string => readFileSync(join(root, "deploy", path), "utf8")

const compose = readComposeFile(join(root, "deploy", "compose.yaml"))
const services = Object.entries(compose.services)

describe.for(services)("the container of %s", ([, service]) => {
  it("can write to memory and its volumes alone, and has no capability and no way to more rights", () => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: expect.arrayContaining([expect.stringMatching(/^\/tmp:size=\d+m$/)]),
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"]
    })
    for (const option of ["cap_add", "devices", "ipc", "network_mode", "pid", "privileged"])
      expect(service).not.toHaveProperty(option)
    for (const volume of service.volumes ?? []) expect(volume).toMatch(/:ro$|^(database|metrics):/)
  })

  it("is not reached from other machines", () => {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
  })
})

describe("compose.tls.yaml", () => {
  it("publishes TLS alone, and mounts the certificate read-only where nginx looks for it", () => {
    const { services, ...others } = readComposeFile(join(root, "deploy", "compose.tls.yaml"))
    expect(others).toEqual({})
    expect(services).toEqual({
      nginx: {
        ports: [expect.stringMatching(/:8443$/)],
        volumes: [expect.stringMatching(/tls\.conf:ro$/), "./tls:/etc/nginx/tls:ro"]
      }
    })
    expect(read("tls.conf")).toMatch(/^listen 8443 ssl/m)
  })
})

describe("compose.yaml", () => {
  it("gives the password of the superuser to PostgreSQL alone", () => {
    const holders = services.filter(([, { environment }]) =>
      JSON.stringify(environment)?.includes("{POSTGRES_PASSWORD")
    )
    expect(holders.map(([name]) => name)).toEqual(["postgres"])
    const { POSTGRES_USER: superuser = "postgres" } = compose.services.postgres?.environment ?? {}
    for (const [, { environment = {} }] of services) {
      if (environment.DATABASE_URL === undefined) continue
      expect(new URL(String(environment.DATABASE_URL).replace(/\$\{.*?\}/, "secret")).username).not.toBe(superuser)
    }
  })

  it.each(["/v1/lookup", "/v1/search/address", "/v1/directory/changes"])(
    "lets nginx ask GET %s of one replica only, because it can cost credits",
    (path) => {
      const [, once = "^$"] = /location ~ (\S+) \{\s+proxy_next_upstream off;/.exec(read("nginx.conf")) ?? []
      expect(path).toMatch(new RegExp(once))
    }
  )

  it("lets the service trust nginx alone, and nginx the proxy that is configured, by default none", () => {
    const replicas = services.filter(([name]) => name.startsWith("gateway-"))
    expect(replicas.map(([, { environment }]) => environment?.POSTCODE_TRUSTED_PROXIES)).toEqual([
      "10.97.31.10",
      "10.97.31.10"
    ])
    expect(compose.services.nginx?.networks).toEqual({ gateway: { ipv4_address: "10.97.31.10" } })
    expect(compose.services.nginx?.environment?.POSTCODE_PROXY).toMatch(/^\$\{POSTCODE_PROXY:-unix:\}$/)
    expect(read("proxies.conf.template")).toMatch(/^set_real_ip_from \$\{POSTCODE_PROXY\};$/m)
    expect(compose.networks.gateway.ipam.config).toMatchObject([{ gateway: "10.97.31.1" }])
    const conf = read("nginx.conf")
    expect(conf.match(/X-Forwarded-For.*;/g)).toEqual(["X-Forwarded-For;", "X-Forwarded-For $remote_addr;"])
    expect(conf).toMatch(/include \/tmp\/proxies\.conf;\n\s+real_ip_header X-Forwarded-For;\n\s+real_ip_recursive on;/)
  })
})

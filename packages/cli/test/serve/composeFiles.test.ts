/** `compose.yaml` and what it mounts: what its containers may do, who has which password, and whose address counts. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8")

interface Service {
  readonly image: string
  readonly user?: string
  readonly environment?: Readonly<Record<string, number | string>>
  readonly volumes?: ReadonlyArray<string>
  readonly ports?: ReadonlyArray<string>
  readonly tmpfs?: ReadonlyArray<string>
  readonly [option: string]: unknown
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: { readonly gateway: { readonly ipam: { readonly config: ReadonlyArray<object> } } }
}

/** Vite has a parser of YAML beside it, and no package of this workspace needs another one. */
const { parse }: { readonly parse: (text: string, options: { readonly merge: boolean }) => Compose } = createRequire(
  createRequire(import.meta.url).resolve("vite")
)("yaml")

const compose = parse(read("compose.yaml"), { merge: true })
const services = Object.entries(compose.services)

describe.for(services)("the container of %s", ([, service]) => {
  it("can write to memory and its volumes alone, and has no capability and no way to more rights", () => {
    expect(service).toMatchObject({
      read_only: true,
      tmpfs: expect.arrayContaining(["/tmp"]),
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

  it("lets the service trust nginx alone, and nginx the proxy that is configured, by default none", () => {
    const replicas = services.filter(([name]) => name.startsWith("gateway-"))
    expect(replicas.map(([, { environment }]) => environment?.POSTCODE_TRUSTED_PROXIES)).toEqual([
      "10.97.31.10",
      "10.97.31.10"
    ])
    expect(compose.services.nginx?.networks).toEqual({ gateway: { ipv4_address: "10.97.31.10" } })
    expect(compose.services.nginx?.environment?.POSTCODE_PROXY).toMatch(/^\$\{POSTCODE_PROXY:-unix:\}$/)
    expect(read("deploy/proxies.conf.template")).toMatch(/^set_real_ip_from \$\{POSTCODE_PROXY\};$/m)
    expect(compose.networks.gateway.ipam.config).toMatchObject([{ gateway: "10.97.31.1" }])
    const conf = read("deploy/nginx.conf")
    expect(conf.match(/X-Forwarded-For.*;/g)).toEqual(["X-Forwarded-For;", "X-Forwarded-For $remote_addr;"])
    expect(conf).toMatch(/include \/tmp\/proxies\.conf;\n\s+real_ip_header X-Forwarded-For;\n\s+real_ip_recursive on;/)
  })
})

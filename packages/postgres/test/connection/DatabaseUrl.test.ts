/** The address of a database means the same to both drivers, or is refused. */
import { PgClient } from "@effect/sql-pg"
import { textInput } from "@postcode/drills/postgres"
import { importDirectory, layerDatabase } from "@postcode/postgres"
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { describe, expect, it } from "vitest"
import { mistakeInAddress, withPlainMode } from "../../src/connection/DatabaseUrl.ts"

const address = "postgresql://me:secret@db.example:5432/postcode"

/** Whether `pg` uses TLS for a mode, and verifies the server. */
const tlsOf = (url: string) => {
  const { ssl } = new Client({ connectionString: url }) as unknown as { readonly ssl: unknown }
  return ssl
}

describe("the address of a database", () => {
  it.each([
    ["", "disable"],
    ["?sslmode=disable", "disable"],
    ["?sslmode=require", "verify-full"],
    ["?sslmode=verify-ca", "verify-full"],
    ["?sslmode=verify-full&options=-c%20search_path%3Da", "verify-full"]
  ])("%s means sslmode=%s to both drivers", (given, mode) => {
    expect(mistakeInAddress(address + given)).toBeUndefined()
    const plain = withPlainMode(address + given)
    expect(new URL(plain).searchParams.getAll("sslmode")).toEqual([mode])
    expect(tlsOf(plain)).toEqual(mode === "disable" ? false : {})
  })

  it("keeps everything else unchanged", () => {
    const other = new URL(withPlainMode(`${address}?host=%2Frun%2Fpostgresql&options=-c%20a%3Db`))
    expect(other.href.split("?")[0]).toBe(address)
    expect(other.searchParams.get("host")).toBe("/run/postgresql")
    expect(other.searchParams.get("options")).toBe("-c a=b")
  })

  it.each(["prefer", "allow", "no-verify", "", "disable&sslmode=prefer", "Require"])(
    "with sslmode=%s is refused by the pool and by an import, without showing its password",
    async (mode) => {
      const url = `${address}?sslmode=${mode}`
      const expected = "expected an address with sslmode disable, require, verify-ca or verify-full, or without sslmode"
      const pool = Effect.provide(PgClient.PgClient, layerDatabase({ url: Redacted.make(url) }))
      const { message } = await Effect.runPromise(Effect.flip(pool))
      expect(message).toContain(expected)
      const failure = await importDirectory(textInput("", ""), { url, dayOfFiles: "2026-01-31" }).catch(String)
      expect(failure).toContain(`ImportFailure: the address of the database: ${expected}`)
      expect(message + failure).not.toContain("secret")
    }
  )

  it.each([
    "ssl=true",
    "sslrootcert=/etc/ca.pem",
    "sslcert=a",
    "sslkey=a",
    "sslnegotiation=direct",
    "uselibpqcompat=true"
  ])("with %s, of which one driver knows nothing, is refused", (parameter) => {
    expect(mistakeInAddress(`${address}?sslmode=verify-full&${parameter}`)).toMatch(/^an address without \w+: /)
  })

  it.each(["me:secret@one:5432,two:5432", "one,two"])("with several hosts, %s, is refused", async (hosts) => {
    const url = Redacted.make(`postgresql://${hosts}/postcode`)
    const { message } = await Effect.runPromise(Effect.flip(Effect.provide(PgClient.PgClient, layerDatabase({ url }))))
    expect(message).toContain("expected an address with one host")
    expect(message).not.toContain("secret")
  })

  it("may have a comma in its password", () => {
    expect(mistakeInAddress("postgresql://me:a,b@one/postcode")).toBeUndefined()
  })
})

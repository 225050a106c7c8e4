import { describe, expect, it } from "vitest"
import { makeRouter } from "../../src/pipeline/Router.ts"

const routes = [
  ["GET", "/v1/keys"],
  ["POST", "/v1/keys"],
  ["GET", "/v1/keys/:id"],
  ["DELETE", "/v1/keys/:id"],
  ["GET", "/v1/keys/newest"],
  ["GET", "/v1/organizations/:id/keys/:key"],
  ["GET", "/v1/organizations/:id/credits"]
].map(([method = "", path = ""]) => ({ method, path, value: `${method} ${path}` }))

describe("makeRouter", () => {
  const find = makeRouter(routes)

  it("finds all methods of a path", () => {
    expect([...(find("/v1/keys")?.methods ?? [])]).toEqual([
      ["GET", "GET /v1/keys"],
      ["POST", "POST /v1/keys"]
    ])
    expect(find("/v1/keys")?.params).toEqual({})
  })

  it("finds a path with parameters, and reads them", () => {
    const match = find("/v1/organizations/org_1/keys/key_2")
    expect([...(match?.methods.values() ?? [])]).toEqual(["GET /v1/organizations/:id/keys/:key"])
    expect(match?.params).toEqual({ id: "org_1", key: "key_2" })
    expect([...(find("/v1/keys/a")?.methods.keys() ?? [])]).toEqual(["GET", "DELETE"])
  })

  it("a path without parameters takes precedence over one with parameters", () => {
    expect([...(find("/v1/keys/newest")?.methods.values() ?? [])]).toEqual(["GET /v1/keys/newest"])
  })

  const unknown = [
    ...["", "/", "/v1", "/v1/", "/v1/keys/", "//v1/keys", "/v1//keys", "/V1/keys", "v1/keys", "/v1/keys/a/b"],
    ...[
      "/v1/keys?x=1",
      "/v1/keys#a",
      "/v1/organizations/org_1",
      "/v1/organizations//credits",
      "/v1/organizations/a/keys"
    ]
  ]
  it.each(unknown)("finds nothing under %j", (path) => {
    expect(find(path)).toBeUndefined()
  })

  const wrong = ["a-b", "a.b", "a%20b", "..", "\u00e9", "a b", "a".repeat(65), ":id", "*", "a\u0000"]
  it.each(wrong)("%j is not an id, and finds no path", (id) => {
    expect(find(`/v1/keys/${id}`)).toBeUndefined()
  })

  it("an id has 1 to 64 letters, digits and underscores", () => {
    for (const id of ["a", "Z_9", "a".repeat(64), "__proto__", "constructor"]) {
      expect(find(`/v1/keys/${id}`)?.params.id).toBe(id)
    }
  })

  it("names of Object's properties are not paths", () => {
    for (const path of ["__proto__", "constructor", "/__proto__", "/toString"]) expect(find(path)).toBeUndefined()
  })
})

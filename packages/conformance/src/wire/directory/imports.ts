/** Imports through the management API: upload, check, import, cancel, and two operators at once. */
import { toE7 } from "@postcode/core/Coordinate"
import { unitLine, unitsHeader } from "@postcode/core/Csv"
import { describe, expect, it } from "vitest"
import { type FixtureUnit, fixturePlaces, fixtureUnits, postcodes } from "../../world/FixtureDirectory.ts"
import type { World } from "../../world/World.ts"
import { dataOf, expectFailure } from "../Received.ts"
import {
  chosen,
  clearImport,
  currentImport,
  importPath,
  openImport,
  runImport,
  type ShownImport,
  sendFile,
  smallFiles,
  uploadImport
} from "./ImportScene.ts"

/** The suite replaces the directory, so the world must be its own. */
export const directoryImports = (world: World): void => {
  describe("POST /v1/admin/directory/import", () => opening(world))
  describe("POST /v1/admin/directory/import/:id/parts", () => uploading(world))
  describe("POST /v1/admin/directory/import/:id/run, dry", () => checking(world))
  describe("POST /v1/admin/directory/import/:id/run", () => importing(world))
  describe("DELETE /v1/admin/directory/import/:id", () => cancelling(world))
}

const places = `code,name,zone\n${fixturePlaces.map(({ code, name, zone = "" }) => `${code},${name},${zone}\n`).join("")}`

const rowOf = ({ active, attributes, lat, lon, postcode, replaced_by }: FixtureUnit): string =>
  unitLine(postcode, toE7(lat), toE7(lon), active, attributes, replaced_by)

/** The units of the fixture, changed. */
const unitsOf = (change: (unit: FixtureUnit) => FixtureUnit | undefined = (unit) => unit): string =>
  unitsHeader +
  fixtureUnits
    .map(change)
    .flatMap((unit) => (unit === undefined ? [] : [rowOf(unit)]))
    .join("")

const checkOf = async (world: World, units: string | Uint8Array, task: object = {}, given = places) => {
  const id = await uploadImport(world.operator, { places: given, units })
  const { check, phase, problem } = await runImport(world.operator, id, { dry_run: true, ...task })
  expect({ phase, problem }).toEqual({ phase: "checked", problem: undefined })
  return check as Readonly<Record<string, unknown>>
}

const versionOf = async (world: World): Promise<string> =>
  dataOf<{ readonly version: string }>(await world.operator.call("GET", "/v1/admin/directory")).version

const opening = (world: World): void => {
  it("opens one import; the same operator replaces it, and another one gets 409 and learns whose it is", async () => {
    const id = await openImport(world.operator, smallFiles)
    expect(id).toMatch(/^imp_\w{20}$/)
    const { headers } = await world.operator.account("operator")
    const other = await world.client.post(importPath, chosen(smallFiles), { headers })
    expectFailure(other, "409 conflict", "another import is open since ", ", by operator (uploading)")
    const again = dataOf<ShownImport>(await world.operator.call("POST", importPath, chosen(smallFiles)))
    expect(again.id).not.toBe(id)
    expectFailure(await sendFile(world.operator, id, "places", smallFiles.places), "404 not_found")
  })

  it("of two operators that open at the same time, one succeeds", async () => {
    await clearImport(world.operator)
    const accounts = await Promise.all([world.operator.account("operator"), world.operator.account("operator")])
    const answers = await Promise.all(
      accounts.map(({ headers }) => world.client.post(importPath, chosen(smallFiles), { headers }))
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await clearImport(world.operator)
  })

  it("refuses files that are empty, and more bytes than are taken", async () => {
    await clearImport(world.operator)
    for (const size_bytes of [0, -1, 1.5, 2 ** 45]) {
      const units = { name: "units.csv", size_bytes }
      const answer = await world.operator.call("POST", importPath, { ...chosen(smallFiles), units })
      expectFailure(answer, "400 invalid_parameter")
    }
    expect(await currentImport(world.operator)).toBeNull()
  })

  it("is not for members", async () => {
    const { headers } = await world.operator.account("owner")
    expectFailure(await world.client.post(importPath, chosen(smallFiles), { headers }), "403 insufficient_scope")
    expectFailure(await world.client.get(importPath, { headers }), "403 insufficient_scope")
  })
}

const uploading = (world: World): void => {
  const send = (id: string, body: object) => world.operator.call("POST", `${importPath}/${id}/parts`, body)
  const base64 = (text: string) => Buffer.from(text).toString("base64")

  it("takes parts in their order, each once, and no more than the file has", async () => {
    const id = await openImport(world.operator, smallFiles)
    const { places: text } = smallFiles
    const [start, rest] = [text.slice(0, 10), text.slice(10)]
    const first = { file: "places", offset: 0, pieces: [base64(start.slice(0, 4)), base64(start.slice(4))] }
    for (let times = 0; times < 2; times++) {
      expect(dataOf<ShownImport>(await send(id, first)).places.received_bytes).toBe(10)
    }
    const gap = await send(id, { file: "places", offset: 11, pieces: [base64("x")] })
    expectFailure(gap, "409 conflict", "offset: expected 10, the number of bytes that have arrived")
    const long = await send(id, { file: "places", offset: 10, pieces: [base64(`${rest}x`)] })
    expectFailure(long, "409 conflict")
    const whole = dataOf<ShownImport>(await send(id, { file: "places", offset: 10, pieces: [base64(rest)] }))
    expect(whole.places.received_bytes).toBe(text.length)
  })

  it("refuses what is no part of a file", async () => {
    const id = await openImport(world.operator, smallFiles)
    for (const part of [
      { file: "places", offset: 0, pieces: ["no base64!"] },
      { file: "places", offset: 0, pieces: [] },
      { file: "places", offset: 0, pieces: [""] },
      { file: "places", offset: -1, pieces: [base64("x")] },
      { file: "others", offset: 0, pieces: [base64("x")] },
      { file: "places", offset: 0, pieces: ["A".repeat(60_004)] },
      { file: "places", offset: 0, pieces: new Array<string>(25).fill("QQ==") }
    ]) {
      expectFailure(await send(id, part), "400 invalid_parameter")
    }
    expectFailure(await send("imp_none", { file: "places", offset: 0, pieces: [base64("x")] }), "404 not_found")
    expect((await currentImport(world.operator))?.places.received_bytes).toBe(0)
  })

  it("does not run before the files are complete", async () => {
    const id = await openImport(world.operator, smallFiles)
    await sendFile(world.operator, id, "places", smallFiles.places)
    expectFailure(await world.operator.call("POST", `${importPath}/${id}/run`, { dry_run: true }), "409 conflict")
  })
}

const checking = (world: World): void => {
  it("shows how files are read, ten rows, the warnings and what would change, and changes nothing", async () => {
    const before = await versionOf(world)
    const german =
      "Post Code;Breite;Länge;Strasse\r\n" +
      "LA-12-A03-BG-07;6,6018;3,3515;7 Allen Avenue\r\n" +
      "la12a03bg08;6,602;3,3515;\r\n" +
      "LA-12-A03-BG-09;9,9;north;\r\n" +
      "ZZ-99-ZZZ-ZZ-99;0;0;\r\n"
    const columns = { lat: "Breite", lon: "Länge", recent_address: "Strasse" }
    const check = await checkOf(world, Buffer.from(`\ufeff${german}`, "utf16le"), { columns })
    expect(check).toMatchObject({
      units: {
        notes: [expect.stringMatching(/^read as: UTF-16, semicolon, .*4 columns$/)],
        header: ["Post Code", "Breite", "Länge", "Strasse"],
        columns: { postcode: "Post Code", lat: "Breite", lon: "Länge", recent_address: "Strasse" }
      },
      places: { header: ["code", "name", "zone"] },
      is_readable: true,
      total_units: 3,
      bad_rows: 1,
      first_bad_rows: [{ file: "units", line: 4, reason: expect.stringContaining("lon") }],
      difference: { added: 0, removed: 12 },
      removals: { count: expect.any(Number), description: expect.stringContaining("remove") }
    })
    const [first, second] = check.rows as ReadonlyArray<ReadonlyArray<string>>
    expect(first?.slice(0, 6)).toEqual(["LA-12-A03-BG-07", "6.6018", "3.3515", "active", "", "7 Allen Avenue"])
    expect(second?.[0]).toBe("LA-12-A03-BG-08")
    expect(check.warnings).toContainEqual(
      expect.objectContaining({ kind: "null_island", meaning: expect.any(String), count: 1 })
    )
    expect(await versionOf(world)).toBe(before)
  })

  it("shows the header of a file that lacks a column, so that it can be mapped", async () => {
    const units = "Key,North,East\nLA-12-A03-BG-07,6.6018,3.3515\n"
    const check = await checkOf(world, units)
    expect(check).toMatchObject({ is_readable: false, units: { header: ["Key", "North", "East"] }, rows: [] })
    expect(check.first_bad_rows).toMatchObject([{ file: "units", line: 1, reason: expect.stringMatching(/no column/) }])
    const mapped = await checkOf(world, units, { columns: { postcode: "Key", lat: "North", lon: "3" } })
    expect(mapped).toMatchObject({ is_readable: true, total_units: 1, units: { columns: { lon: "East" } } })
  })

  it("names a file of another kind, and one without rows", async () => {
    for (const [units, reason] of [
      ["%PDF-1.7\n%âãÏÓ\n", /PDF/],
      ["<!doctype html><html><body>Sign in</body></html>", /web page/],
      ["postcode,lat,lon\n", /header|rows|units/]
    ] as const) {
      const id = await uploadImport(world.operator, { places, units })
      const { check, phase } = await runImport(world.operator, id, { dry_run: true })
      expect(phase).toBe("checked")
      if (units.startsWith("postcode")) expect(check).toMatchObject({ total_units: 0 })
      else
        expect(check).toMatchObject({
          is_readable: false,
          first_bad_rows: [{ reason: expect.stringMatching(reason) }]
        })
    }
  })

  it("leaves out units whose location cannot be right, if it is told to", async () => {
    const units = unitsOf((unit) => (unit.postcode === postcodes.nameless ? { ...unit, lat: 0, lon: 0 } : unit))
    const check = await checkOf(world, units, { drop_implausible: true })
    expect(check).toMatchObject({ is_readable: true, dropped_units: 1, total_units: fixtureUnits.length - 1 })
    expect(check.warnings).not.toContainEqual(expect.objectContaining({ kind: "null_island" }))
  })

  it("refuses what it does not understand", async () => {
    const id = await uploadImport(world.operator)
    for (const task of [
      {},
      { dry_run: false },
      { dry_run: true, columns: { altitude: "H" } },
      { dry_run: true, columns: { lat: "" } },
      { dry_run: true, delimiter: "pipe" },
      { dry_run: true, skip_lines: -1 },
      { data_version: "2026-2", data_date: "31.01.2026" },
      { data_version: "2026-2", allow_removals: "all" },
      { data_version: "2026-2", changes: "ask" }
    ]) {
      const answer = await world.operator.call("POST", `${importPath}/${id}/run`, task)
      expectFailure(answer, "400 invalid_parameter")
    }
  })
}

const importing = (world: World): void => {
  it("refuses bad rows, and an edition that takes much away, until that is permitted", async () => {
    const before = await versionOf(world)
    const units = `${unitsOf((unit) => (unit.postcode.startsWith("LA-12-B01") ? undefined : unit))}LA-1X-A03-BG-09,6,3\n`
    const id = await uploadImport(world.operator, { places, units })
    const run = (task: object) => runImport(world.operator, id, { data_version: "bad-rows", ...task })
    expect(await run({})).toMatchObject({
      phase: "failed",
      problem: expect.stringMatching(/^the files have 1 bad row/)
    })
    const large = await run({ skip_bad_rows: true })
    expect(large).toMatchObject({ phase: "failed", problem: expect.stringMatching(/^it would remove 4, retire 0/) })
    expect(await run({ skip_bad_rows: true, allow_removals: 3 })).toMatchObject({ phase: "failed" })
    expect(await versionOf(world)).toBe(before)
  })

  it("makes the edition current, with its warnings, and notes it under the operator's account", async () => {
    const account = await world.operator.account("operator")
    const id = await uploadImport(world.operator, { places, units: unitsOf() })
    const body = { data_version: "imported-1", data_date: "2026-03-31" }
    dataOf(await world.client.post(`${importPath}/${id}/run`, body, { headers: account.headers }))
    await expect
      .poll(() => currentImport(world.operator))
      .toMatchObject({
        phase: "imported",
        imported: { outcome: "imported", data_version: "imported-1", data_date: "2026-03-31" }
      })
    await expect.poll(() => versionOf(world)).toBe("imported-1")
    const { warnings } = dataOf<{ readonly warnings: ReadonlyArray<{ readonly kind: string }> }>(
      await world.operator.call("GET", "/v1/admin/directory")
    )
    expect(warnings.map(({ kind }) => kind)).toContain("unnamed_place")
    const { events } = dataOf<{ readonly events: ReadonlyArray<object> }>(
      await world.operator.call("GET", "/v1/admin/audit?action=directory.imported&limit=1")
    )
    expect(events).toMatchObject([
      { actor: account.id, details: { version: "imported-1", units: fixtureUnits.length, bad_rows: 0 } }
    ])
    const again = await world.operator.call("POST", `${importPath}/${id}/run`, body)
    expectFailure(again, "409 conflict")
  })

  it("asks what becomes of changes that it would undo, and keeps or drops them", async () => {
    const change = { change: "set", postcode: postcodes.bare, attributes: { building_type: "kept" } }
    const batch = { reason: "survey", reference: "survey", changes: [change] }
    dataOf(await world.operator.call("POST", "/v1/admin/directory/changes", batch))
    const id = await uploadImport(world.operator, { places, units: unitsOf() })
    const { check } = await runImport(world.operator, id, { dry_run: true })
    expect(check).toMatchObject({ changed_units: { contained: 0, undone: 1, superseded: 0 } })
    const body = { data_version: "imported-2" }
    expect(await runImport(world.operator, id, body)).toMatchObject({
      phase: "failed",
      problem: expect.stringMatching(/undo changes/)
    })
    expect((await runImport(world.operator, id, { ...body, changes: "keep" })).phase).toBe("imported")
    await expect.poll(() => versionOf(world)).toBe("imported-2")
    const unit = dataOf<{ readonly unit: { readonly attributes: object } }>(
      await world.operator.call("GET", `/v1/admin/directory/units/${postcodes.bare}`)
    )
    expect(unit.unit.attributes).toEqual({ building_type: "kept" })
  })

  it("runs once at a time", async () => {
    const id = await uploadImport(world.operator, { places, units: unitsOf() })
    const run = () => world.operator.call("POST", `${importPath}/${id}/run`, { dry_run: true })
    const answers = await Promise.all([run(), run(), run()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    await expect.poll(async () => (await currentImport(world.operator))?.phase).toBe("checked")
  })
}

const cancelling = (world: World): void => {
  it("leaves nothing, in any phase", async () => {
    for (const prepare of [
      () => openImport(world.operator, smallFiles),
      () => uploadImport(world.operator),
      async () => {
        const id = await uploadImport(world.operator)
        await runImport(world.operator, id, { dry_run: true })
        return id
      },
      async () => {
        const id = await uploadImport(world.operator, { places, units: unitsOf() })
        dataOf(await world.operator.call("POST", `${importPath}/${id}/run`, { dry_run: true }))
        return id
      }
    ]) {
      const id = await prepare()
      dataOf(await world.operator.call("DELETE", `${importPath}/${id}`))
      await expect.poll(() => currentImport(world.operator)).toBeNull()
      expectFailure(await world.operator.call("DELETE", `${importPath}/${id}`), "404 not_found")
    }
  })
}

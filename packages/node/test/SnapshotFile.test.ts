import { once } from "node:events"
import { appendFileSync, truncateSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { InvalidSnapshot, snapshotLength, snapshotPieces } from "@postcode/core/Snapshot"
import { openSnapshotFile, readSnapshotFile, shareDirectory, writeSnapshotFile } from "@postcode/node"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"

const directoryOf = (units: number, version = "2026-1"): Directory => {
  const builder = new DirectoryBuilder({ version })
  builder.addPlace({ code: "LA" as PartialPostcode, name: "Lagos" })
  for (let unit = 0; unit < units; unit++) {
    const code = `LA-12-A03-BG-${String(unit).padStart(2, "0")}` as Postcode
    builder.addUnit(code, { lat: 6.5 + 0.0001 * unit, lon: 3.4 }, unit % 5 !== 0)
  }
  const built = builder.build()
  if (!built.ok) throw new Error("a postcode came twice")
  return built.directory
}

const directory = directoryOf(90)
const bytesOf = (one: Directory) => Buffer.concat([...snapshotPieces(one)])

let root: string
let folder: string
let path: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "snapshots-"))
})
beforeEach(async () => {
  folder = await mkdtemp(join(root, "case-"))
  path = join(folder, "nigeria.snapshot")
})
afterAll(() => rm(root, { recursive: true, force: true }))

describe("a snapshot file", () => {
  it("contains the snapshot, and opens as the directory in shared memory", async () => {
    await writeSnapshotFile(directory, path)
    expect(await readdir(folder)).toEqual(["nigeria.snapshot"])
    expect(bytesOf(directory).equals(await readFile(path))).toBe(true)
    const { directory: opened, image } = await openSnapshotFile(path)
    expect(opened.contents).toEqual(directory.contents)
    expect(image).toBeInstanceOf(SharedArrayBuffer)
    expect(opened.contents.tree.areas.units.buffer).toBe(image)
  })

  it("has addresses only on request, and memory for other threads always has them", async () => {
    const builder = new DirectoryBuilder({ addresses: true })
    builder.addPlace({ code: "LA" as PartialPostcode, name: "Lagos" })
    const unit = "LA-12-A03-BG-07" as Postcode
    builder.addUnit(unit, { lat: 6.5, lon: 3.4 }, true, { locality_name: "Opagbe", recent_address: "7 Allen Avenue" })
    const built = builder.build()
    if (!built.ok) throw new Error("one unit is no duplicate")
    await writeSnapshotFile(built.directory, path)
    expect((await openSnapshotFile(path)).directory.addresses).toBe(undefined)
    await writeSnapshotFile(built.directory, path, { addresses: true })
    const shared = Directory.open(shareDirectory(built.directory), { verify: false })
    for (const { addresses } of [(await openSnapshotFile(path)).directory, shared]) {
      expect(addresses).toEqual(built.directory.addresses)
      expect(addresses?.units.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  })

  it("replaces an existing file", async () => {
    await writeSnapshotFile(directoryOf(7, "2025-4"), path)
    await writeSnapshotFile(directory, path)
    expect((await openSnapshotFile(path)).directory.version).toBe("2026-1")
    expect(await readdir(folder)).toEqual(["nigeria.snapshot"])
  })

  it("is complete if two are written at the same time", async () => {
    const others = [directory, directoryOf(7, "2025-4")]
    await Promise.all(others.map((one) => writeSnapshotFile(one, path)))
    expect(["2025-4", "2026-1"]).toContain((await openSnapshotFile(path)).directory.version)
    expect(await readdir(folder)).toEqual(["nigeria.snapshot"])
  })

  it("reports the progress of writing and reading", async () => {
    const total = snapshotLength(directory)
    for (const run of [writeSnapshotFile.bind(undefined, directory), openSnapshotFile]) {
      const steps: Array<readonly [done: number, total: number]> = []
      await run(path, { onProgress: (done_bytes, total_bytes) => steps.push([done_bytes, total_bytes]) })
      expect(steps.at(-1)).toEqual([total, total])
      expect(steps.every(([done, of], index) => of === total && done > (steps[index - 1]?.[0] ?? 0))).toBe(true)
    }
  })
})

describe("reading", () => {
  it("returns a file of many chunks unchanged", async () => {
    const bytes = Buffer.alloc(17_000_001)
    for (let at = 0; at + 4 <= bytes.length; at += 4000) bytes.writeUInt32LE(at, at)
    await writeFile(path, bytes)
    const steps: Array<number> = []
    const image = await readSnapshotFile(path, { onProgress: (done_bytes) => steps.push(done_bytes) })
    expect(Buffer.from(image).equals(bytes)).toBe(true)
    expect(steps).toHaveLength(5)
    expect(steps.at(-1)).toBe(bytes.length)
  })

  it("returns an empty file, which does not open as a snapshot", async () => {
    await writeFile(path, "")
    expect((await readSnapshotFile(path)).byteLength).toBe(0)
    await expect(openSnapshotFile(path)).rejects.toThrow(`${path}: not a snapshot`)
  })

  it("fails for a missing file, and for a folder", async () => {
    await expect(openSnapshotFile(path)).rejects.toMatchObject({ code: "ENOENT" })
    await expect(openSnapshotFile(folder)).rejects.toThrow(`${folder}: expected a file, found something else`)
  })

  it("refuses a truncated or altered file with its name and the fault", async () => {
    const bytes = bytesOf(directory)
    await writeFile(path, bytes.subarray(0, bytes.length - 10))
    const cutOff = openSnapshotFile(path)
    await expect(cutOff).rejects.toBeInstanceOf(InvalidSnapshot)
    await expect(cutOff).rejects.toThrow(
      `${path}: truncated: expected ${bytes.length} bytes, found ${bytes.length - 10}`
    )
    bytes[bytes.length - 10] = 0x7e
    await writeFile(path, bytes)
    await expect(openSnapshotFile(path)).rejects.toThrow(`${path}: section places: its checksum does not match`)
  })

  it.for([
    ["longer", (file: string) => appendFileSync(file, "x")],
    ["shorter", (file: string) => truncateSync(file, 1000)]
  ] as const)("fails for a file that becomes %s meanwhile", async ([, change]) => {
    await writeFile(path, Buffer.alloc(10_000_000, 7))
    let changed = false
    const onProgress = () => {
      if (!changed) change(path)
      changed = true
    }
    await expect(readSnapshotFile(path, { onProgress })).rejects.toThrow(
      /: its length changed from 10000000 to (10000001|1000) bytes while it was read$/
    )
  })

  it("ends when its signal aborts, with the signal's reason", async () => {
    await writeFile(path, Buffer.alloc(40_000_000))
    const controller = new AbortController()
    const steps: Array<number> = []
    const onProgress = (done_bytes: number) => {
      steps.push(done_bytes)
      controller.abort(new Error("enough"))
    }
    await expect(readSnapshotFile(path, { onProgress, signal: controller.signal })).rejects.toThrow("enough")
    // At most the chunks that were on their way.
    expect(steps.length).toBeLessThanOrEqual(4)
  })
})

describe("writing", () => {
  const before = "what was there"
  beforeEach(() => writeFile(path, before))

  const expectNothingHappened = async () => {
    expect(await readdir(folder)).toEqual(["nigeria.snapshot"])
    expect(await readFile(path, "utf8")).toBe(before)
  }

  it("that is interrupted at any step leaves no temporary file, and the old file unchanged", async () => {
    let steps = 0
    await writeSnapshotFile(directory, join(root, "steps"), { onProgress: () => steps++ })
    for (let last = 0; last <= steps; last++) {
      const controller = new AbortController()
      let step = 0
      const onProgress = () => {
        if (++step === last) controller.abort(new Error("enough"))
      }
      if (last === 0) controller.abort(new Error("enough"))
      await expect(writeSnapshotFile(directory, path, { onProgress, signal: controller.signal })).rejects.toThrow(
        "enough"
      )
      await expectNothingHappened()
    }
  })

  it("that fails halfway leaves no temporary file, and the old file unchanged", async () => {
    const onProgress = () => {
      throw new Error("the disk is full")
    }
    await expect(writeSnapshotFile(directory, path, { onProgress })).rejects.toThrow("the disk is full")
    await expectNothingHappened()
  })

  it("of a directory that does not fit into a snapshot leaves no temporary file, and the old file unchanged", async () => {
    const dated = new DirectoryBuilder({ date: "yesterday" }).build()
    if (!dated.ok) throw new Error("a postcode came twice")
    await expect(writeSnapshotFile(dated.directory, path)).rejects.toThrow("date: expected a day like 2026-01-31")
    await expectNothingHappened()
  })

  it("fails if no file can be created there, and leaves nothing", async () => {
    await expect(writeSnapshotFile(directory, join(folder, "none", "file"))).rejects.toMatchObject({ code: "ENOENT" })
    await mkdir(join(folder, "taken"))
    await expect(writeSnapshotFile(directory, join(folder, "taken"))).rejects.toMatchObject({ code: "EISDIR" })
    expect((await readdir(folder)).sort()).toEqual(["nigeria.snapshot", "taken"])
  })
})

describe("a shared directory", () => {
  it("is the snapshot, in shared memory", () => {
    const image = shareDirectory(directory)
    expect(image).toBeInstanceOf(SharedArrayBuffer)
    expect(Buffer.from(image).equals(bytesOf(directory))).toBe(true)
    expect(Directory.open(image).contents).toEqual(directory.contents)
  })

  it("is opened by a worker thread, in place", async () => {
    const point = directory.coordinateAt(31)
    const worker = new Worker(new URL("./answerInWorker.ts", import.meta.url), {
      execArgv: ["--conditions=@postcode/source"],
      workerData: { image: shareDirectory(directory), point }
    })
    const [answer] = await once(worker, "message")
    const hit = nearest(directory, point, 25)
    expect(answer).toEqual({ size: 90, shared: true, postcode: hit && directory.postcodeAt(hit.id) })
    await once(worker, "exit")
  })
})

import { describe, expect, it } from "vitest"
import { type Bench, compared, type Options } from "./Bench.ts"
import { run } from "./run.ts"

/** Two figures, one without its peer. */
const sorting = (seen: Array<Options> = []): Bench =>
  async function* (options) {
    seen.push(options)
    options.progress("sorting")
    const common = { bench: "sorting", peer: "quick 1.0.0" }
    yield compared("less", { ...common, figure: "time", value: 12.34, unit: "ns", peer_value: 24.68 })
    yield compared("more", { ...common, figure: "rate", value: 5_000, unit: "rows/s", peer_value: null })
  }

/** The output of a run. */
const ran = async (args: ReadonlyArray<string>, seen?: Array<Options>) => {
  const output = { stdout: "", stderr: "" }
  const code = await run(
    args,
    { sorting: sorting(seen), searching: sorting() },
    {
      stdout: (text) => {
        output.stdout += text
      },
      stderr: (text) => {
        output.stderr += text
      }
    }
  )
  return { code, ...output }
}

describe("bench", () => {
  it("prints a table on standard output and its progress on standard error", async () => {
    expect(await ran(["sorting"])).toEqual({
      code: 0,
      stdout: [
        "figure   ours  unit       peer               times better",
        "time     12.3  ns         24.7  quick 1.0.0          2.00",
        "rate    5,000  rows/s  missing  quick 1.0.0       missing",
        ""
      ].join("\n"),
      stderr: "sorting: sorting\n"
    })
  })

  it("prints one JSON object a line with --json", async () => {
    const { code, stdout } = await ran(["sorting", "--json"])
    expect(code).toBe(0)
    const common = { bench: "sorting", peer: "quick 1.0.0" }
    expect(stdout.split("\n").map((line) => (line === "" ? undefined : JSON.parse(line)))).toEqual([
      { ...common, figure: "time", value: 12.34, unit: "ns", peer_value: 24.68, ratio: 2 },
      { ...common, figure: "rate", value: 5_000, unit: "rows/s", peer_value: null, ratio: null },
      undefined
    ])
  })

  it("prints the existing figures when the benchmark fails", async () => {
    const failing: Bench = async function* (options) {
      yield* sorting()(options)
      throw new Error("out of memory")
    }
    const written: Array<string> = []
    const output = { stdout: (text: string) => void written.push(text), stderr: () => {} }
    await expect(run(["failing"], { failing }, output)).rejects.toThrow("out of memory")
    expect(written.join("")).toContain("time     12.3  ns         24.7  quick 1.0.0          2.00\n")
  })

  it("passes --units to the benchmark", async () => {
    const seen: Array<Options> = []
    await ran(["sorting", "--units", "1000000"], seen)
    await ran(["sorting"], seen)
    expect(seen.map(({ units }) => units)).toEqual([1_000_000, undefined])
  })

  it("passes --organizations to the benchmark", async () => {
    const seen: Array<Options> = []
    await ran(["sorting", "--organizations", "100000"], seen)
    await ran(["sorting"], seen)
    expect(seen.map(({ organizations }) => organizations)).toEqual([100_000, undefined])
  })

  it("passes --minutes and --postgres to the benchmark", async () => {
    const seen: Array<Options> = []
    await ran(["sorting", "--minutes", "30", "--postgres"], seen)
    await ran(["sorting"], seen)
    expect(seen.map(({ minutes, postgres }) => [minutes, postgres])).toEqual([
      [30, true],
      [undefined, undefined]
    ])
  })

  it.each([
    [[], "No benchmark is named."],
    [["toString"], 'There is no benchmark "toString".'],
    [["sorting", "searching"], "More than one benchmark is named: give one."],
    [["sorting", "--units", "1e6"], "--units takes a whole number from 1 to 999999999."],
    [["sorting", "--units", "0"], "--units takes a whole number from 1 to 999999999."],
    [["sorting", "--minutes", "0.5"], "--minutes takes a whole number from 1 to 9999."],
    [["sorting", "--organizations", "ten"], "--organizations takes a whole number from 1 to 9999999."],
    [["sorting", "--units"], "Option '--units <value>' argument missing"],
    [["sorting", "--fast"], "Unknown option '--fast'"]
  ])("exits with 2 and lists the benchmarks for %j", async (args, problem) => {
    const { code, stdout, stderr } = await ran(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(problem)
    expect(stderr).toContain("with NAME one of: sorting, searching\n")
  })

  it("compares so that a smaller time and a larger rate give a higher ratio", () => {
    const common = { bench: "b", figure: "f", unit: "u", peer: "p", value: 2, peer_value: 8 }
    expect(compared("less", common).ratio).toBe(4)
    expect(compared("more", common).ratio).toBe(0.25)
  })
})

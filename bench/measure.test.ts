import { describe, expect, it } from "vitest"
import { median, medians, mediansOfAsync } from "./measure.ts"

/** A fake clock that advances by the given times, one per work. */
const stage = (times: ReadonlyArray<ReadonlyArray<number>>) => {
  let time = 0n
  const calls: Array<number> = []
  const works = times.map((costs, index) => {
    let call = 0
    return () => {
      calls.push(index)
      time += BigInt(costs[call++] ?? 0)
      return index
    }
  })
  return { works, calls, now: () => time }
}

describe("medians", () => {
  it("returns the median time of each work, without its first call and the warm-up", () => {
    const { works, now } = stage([
      [9_000, 9_000, 10, 30, 20],
      [5_000, 5_000, 400, 200, 300_000]
    ])
    expect(medians(works, { rounds: 3, warm_up_rounds: 1, now })).toEqual([20, 400])
  })

  it("interleaves the works, every other round backwards", () => {
    const { works, calls, now } = stage([[], [], []])
    medians(works, { rounds: 2, warm_up_rounds: 1, now })
    expect(calls).toEqual([0, 1, 2, ...[0, 1, 2], ...[2, 1, 0], ...[0, 1, 2]])
  })

  it("refuses a work that does not answer the same every time", () => {
    let calls = 0
    expect(() => medians([() => 1, () => calls++], { rounds: 1, warm_up_rounds: 0 })).toThrow(
      "work 1 answered 1, and 0 before: time the same work"
    )
  })
})

describe("mediansOfAsync", () => {
  it("runs asynchronous works one after the other, and returns their median times", async () => {
    const { works, calls, now } = stage([
      [9_000, 10, 30, 20],
      [5_000, 400, 200, 300_000]
    ])
    let running = 0
    const waiting = works.map((work) => async () => {
      expect(running++).toBe(0)
      await Promise.resolve()
      running--
      return work()
    })
    expect(await mediansOfAsync(waiting, { rounds: 3, warm_up_rounds: 0, now })).toEqual([20, 400])
    expect(calls).toEqual([0, 1, ...[0, 1], ...[1, 0], ...[0, 1]])
  })

  it("refuses a work that does not answer the same every time", async () => {
    let calls = 0
    await expect(mediansOfAsync([async () => calls++], { rounds: 1, warm_up_rounds: 0 })).rejects.toThrow(
      "work 0 answered 1, and 0 before: time the same work"
    )
  })
})

describe("median", () => {
  it("is the middle value, or the mean of the middle two, whatever their order", () => {
    expect(median([3])).toBe(3)
    expect(median([100, 1, 20])).toBe(20)
    expect(median([4, 1_000, 2, 1])).toBe(3)
  })

  it("refuses an empty list", () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

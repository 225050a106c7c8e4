import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { OldestKey } from "../../src/keys/OldestKey.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

describe("OldestKey", () => {
  it("answers the keys in the order in which they came, however many come and go between", () => {
    const map = new Map<number, object>()
    const oldest = new OldestKey(map)
    const expected: Array<number> = []
    for (let i = 0; i < 10_000; i++) {
      map.set(i, {})
      oldest.added()
      expected.push(i)
      // Now one by one, now none for longer than there are entries.
      while (map.size > 50 && i % 400 < 200) {
        const key = oldest.next() as number
        expect(key).toBe(expected.shift())
        map.delete(key)
      }
    }
  })

  it("finds none in an empty map, and the first one that comes then", () => {
    const map = new Map<string, number>()
    const oldest = new OldestKey(map)
    expect(oldest.next()).toBeUndefined()
    map.set("a", 1)
    oldest.added()
    expect(oldest.next()).toBe("a")
  })

  it("keeps nothing alive that has left the map, though nobody asks for the oldest", async () => {
    const map = new Map<number, object>()
    const oldest = new OldestKey(map)
    map.set(-1, {})
    oldest.added()
    map.delete(oldest.next() as number)
    const left: Array<WeakRef<object>> = []
    for (let i = 0; i < 10_000; i++) {
      const value = {}
      if (i % 100 === 0) left.push(new WeakRef(value))
      map.set(i, value)
      oldest.added()
      map.delete(i - 10)
    }
    await new Promise((resolve) => setTimeout(resolve))
    collectGarbage()
    expect(left.filter((value) => value.deref() !== undefined).length).toBeLessThan(5)
    expect(oldest.next()).toBe(9_990)
  })
})

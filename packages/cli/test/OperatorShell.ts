/** The commands that manage a service, as its operator has them. */

import { managing } from "@postcode/drills/Management"
import type { Ended, Service } from "@postcode/drills/StartCommand"
import { expect } from "vitest"
import { run } from "./RunCommand.ts"

/** The one JSON value of a command that ends well. */
export const jsonOf = async (ending: Promise<Ended>) => {
  const { code, stderr, stdout } = await ending
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toMatch(/^.+\n$/)
  return JSON.parse(stdout)
}

/** The shell of a service's operator; the service may be started later. */
export const shellOf = (service: () => Service) => {
  const postcode = (...args: ReadonlyArray<string>): Promise<Ended> => run(args, { env: managing(service().url) })
  return { postcode, answer: (...args: ReadonlyArray<string>) => jsonOf(postcode(...args, "--json")) }
}

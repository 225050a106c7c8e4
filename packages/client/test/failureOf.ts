import { isPostcodeError, type PostcodeError } from "../src/index.ts"

/** What a call fails with. */
export const failureOf = async (call: Promise<unknown>): Promise<PostcodeError> => {
  const thrown = await thrownBy(call)
  if (!isPostcodeError(thrown)) throw new Error(`expected a PostcodeError, not ${String(thrown)}`)
  return thrown
}

/** What a call throws, whatever it is; undefined if it throws nothing. */
export const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error
  )

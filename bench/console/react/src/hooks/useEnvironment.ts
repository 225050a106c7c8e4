import { useOutletContext } from "react-router"

export type Environment = "live" | "test"

/** State of the frame for the screens. */
export interface FrameContext {
  readonly environment: Environment
  readonly setEnvironment: (next: Environment) => void
}

/** The selected environment: `test` or `live`. */
export const useEnvironment = (): FrameContext => useOutletContext<FrameContext>()

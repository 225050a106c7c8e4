import { useOutletContext } from "react-router"

export type Environment = "live" | "test"

/** What the frame around the screens keeps for them. */
export interface FrameContext {
  readonly environment: Environment
  readonly setEnvironment: (next: Environment) => void
}

/** Which of an organization's two worlds is looked at. */
export const useEnvironment = (): FrameContext => useOutletContext<FrameContext>()

/** The open loop as a separate process. */
import { answerParent } from "../http/Child.ts"
import { runOpenLoop } from "./openLoop.ts"

answerParent(runOpenLoop)

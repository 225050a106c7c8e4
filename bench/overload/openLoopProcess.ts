/** The open loop in a process of its own. */
import { answerParent } from "../http/Child.ts"
import { runOpenLoop } from "./openLoop.ts"

answerParent(runOpenLoop)

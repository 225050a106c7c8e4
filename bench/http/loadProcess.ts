/** Load from a process of its own, so that neither side of a comparison pays for it. */
import { answerParent } from "./Child.ts"
import { runLoad } from "./load.ts"

answerParent(runLoad)

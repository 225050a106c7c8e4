/** Every flow to a postcode by mouse, by keyboard alone and by touch. */
import { describeFlows } from "./describeFlows.ts"
import { usePickers } from "./PickerPage.ts"

describeFlows(["mouse", "keyboard", "touch"], usePickers())

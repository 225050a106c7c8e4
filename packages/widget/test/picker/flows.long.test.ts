/** Every flow to a postcode by keyboard alone and by touch. */
import { describeFlows } from "./describeFlows.ts"
import { usePickers } from "./PickerPage.ts"

describeFlows(["keyboard", "touch"], usePickers())

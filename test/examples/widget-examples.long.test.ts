// The examples with the widget in Vue and Svelte.
import { describeWidgetExamples } from "./describeWidgetExamples.ts"

describeWidgetExamples(["widget-svelte", "widget-vue"])

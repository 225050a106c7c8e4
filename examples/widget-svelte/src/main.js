import { mount } from "svelte"
import Order from "./Order.svelte"

mount(Order, { target: document.getElementById("app") })

import { createApp } from "vue"
import OrderForm from "./OrderForm.vue"

createApp(OrderForm).mount("#app")

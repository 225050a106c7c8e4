import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { Order } from "./Order.tsx"

const app = document.getElementById("app")
if (app === null) throw new Error("index.html: expected an element app")
createRoot(app).render(
  <StrictMode>
    <Order />
  </StrictMode>
)

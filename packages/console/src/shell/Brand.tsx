import picture from "../icon.svg"

/** What the product is called, as the way to the start. */
export const Brand = () => (
  <a class="brand" href="#/">
    <img src={picture} alt="" />
    Postcode Gateway
  </a>
)

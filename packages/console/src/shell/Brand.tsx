import picture from "../icon.svg"

/** The product's name, linked to the start. */
export const Brand = () => (
  <a class="brand" href="#/">
    <img src={picture} alt="" />
    Postcode Gateway
  </a>
)

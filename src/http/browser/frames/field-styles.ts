/** Properties of an element that the inputs of its frame take over. */
export const FIELD_STYLES = [
  'color',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'letter-spacing',
  'line-height',
  'text-align',
]

/** A stylesheet that a script contains as a text. */
declare module '*.css' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the bundler makes the text a default export.
  export default text
}

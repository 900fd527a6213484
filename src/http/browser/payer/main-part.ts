/** The part of a page that its script changes. */
export const main: HTMLElement = document.querySelector('main') ?? document.body

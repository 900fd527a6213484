/** An error with a message for a person who tries payctl. */
export class QuickstartError extends Error {}

/** The version of the HTTP API. It changes with the contract, not with the program. */
export const apiVersion = '1';

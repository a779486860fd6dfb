/** The one place that says who we are: `/version`, `initialize`, `list_tools` and the command line read it here. */
export const SERVER_NAME = 'mnemosyne';
export const SERVER_VERSION = '0.2.0';

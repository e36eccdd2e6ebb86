/** Tabs and line ends part what stands in Redis: a reason must have none. */
export const oneLine = (text: string) => text.replaceAll(/[\t\r\n]/g, ' ')

const missing = new Set<string>()

/** A package that only a comparison needs. `undefined`: it is not installed, which `missingPackages` remembers. */
export async function optional<Module>(name: string): Promise<Module | undefined> {
  try {
    return (await import(name)) as Module
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    missing.add(name)
    return undefined
  }
}

export const missingPackages = (): readonly string[] => [...missing]

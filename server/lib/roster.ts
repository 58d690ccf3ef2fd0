/**
 * Who is there, by ID: a `Map` for what comes and goes with every request.
 *
 * V8's `Map` and `Set` replace their table now and then, and the old table points to the new one. Where the map lives
 * long, its old tables are in the part of the heap that is rarely searched: each keeps the next alive, though nobody
 * uses it any more. So whatever a table held when it was replaced (here, requests with their connections and answers)
 * stays until the whole heap is searched, and makes that happen more often. A dictionary leaves no such trail, as long as
 * no ID is a whole number.
 */
export class Roster<T> {
  // Without a prototype it is a dictionary from the start.
  readonly #members = Object.create(null) as Record<string, T>;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: string): boolean {
    return id in this.#members;
  }

  get(id: string): T | undefined {
    return this.#members[id];
  }

  set(id: string, member: T): void {
    if (!this.has(id)) this.#size++;
    this.#members[id] = member;
  }

  /** Whether it was there. */
  delete(id: string): boolean {
    if (!this.has(id)) return false;
    delete this.#members[id];
    this.#size--;
    return true;
  }

  /** Those who are there now; who comes or goes meanwhile changes nothing in it. */
  values(): readonly T[] {
    return Object.values(this.#members);
  }
}

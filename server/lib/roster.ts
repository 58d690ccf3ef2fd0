/**
 * Who is there, by ID: a `Map` for what comes and goes with every request.
 *
 * V8's `Map` and `Set` begin a new table now and then, and leave in the old one a pointer to it. The old
 * table of one that lives long is soon in the part of the heap that is rarely searched, where it keeps the
 * new one alive even when nobody uses either; that one, outdated in its turn, keeps the next. So
 * whatever a table held when its time was over (here, requests with their connections and answers) stays until
 * the whole heap is searched, and makes that happen more often. A dictionary leaves no such trail;
 * an ID that is a whole number would not be in it.
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

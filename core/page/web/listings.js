// PTX and SASS, where nvcc was there when the page was made: each instruction beside the number of its line of CUDA.

function resourcesText(kernel) {
  const facts = [`${kernel.registers} registers of a thread`,
    kernel.spillStoreBytes + kernel.spillLoadBytes ? `${grouped(kernel.spillStoreBytes)} bytes of spill stores, ${grouped(kernel.spillLoadBytes)} of spill loads` : "no spills",
    kernel.stackBytes ? `${grouped(kernel.stackBytes)} bytes of stack` : "no stack",
    kernel.staticSharedBytes ? `${grouped(kernel.staticSharedBytes)} bytes of static shared memory` : "no static shared memory"];
  return `${kernel.kernel}: ${facts.join(", ")}`;
}

function whyNoListing(name) {
  if (views[name]) return views[name].missing;
  if (page.leftOut.includes(name)) return "it would make the page too large";
  return "the page was made without it, as those of several kernels are";
}

function listingElement(name) {
  const [listing, why] = [views[name], whyNoListing(name)];
  if (why) return make("p", { class: "quiet" }, `There is none: ${why}`);
  return make("div", { class: "listing" }, ...(listing.kernels ?? []).map((kernel) => make("p", {}, resourcesText(kernel))),
    make("pre", {}, ...listing.lines.map((line) => textLine(line, line.cudaLine))));
}

addTab("ptx", "PTX", () => listingElement("ptx"));
addTab("sass", "SASS", () => listingElement("sass"));

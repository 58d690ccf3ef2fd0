# Tintype in a container:
#   docker build -t tintype .
#   docker run -p 8080:8080 -v tintype:/data tintype
# docs/deployment.md says more. `npm run check:image` runs every step of this file without Docker.
ARG NODE=node:24.21.0-bookworm-slim

FROM ${NODE} AS built
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM ${NODE} AS packages
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# The image has a Node already, so the one that npm brings is left out.
RUN npm ci --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM ${NODE}
ENV NODE_ENV=production TINTYPE_HOST=0.0.0.0 TINTYPE_PORT=8080 TINTYPE_DATA_DIR=/data
RUN groupadd --gid 10001 tintype \
    && useradd --uid 10001 --gid tintype --home-dir /data --no-create-home --shell /usr/sbin/nologin tintype \
    && install -d -o tintype -g tintype -m 0700 /data
WORKDIR /app
COPY --from=packages /build/node_modules node_modules
COPY package.json package-lock.json LICENSE ./
COPY bin bin
COPY shared shared
COPY server server
COPY web/build web/build
COPY --from=built /build/server/dist server/dist
COPY --from=built /build/web/dist web/dist
# Leaves what was compiled in the image, so that every start is a warm one. Node keeps it for each user and each set of
# V8's options by itself: so it is made by the user that it is for, and by the service too, which has options of its own.
# That one loads all that it needs, and ends because no machine has this address.
RUN install -d -o tintype -g tintype node_modules/.cache \
    && setpriv --reuid=10001 --regid=10001 --clear-groups node bin/tintype.js --version \
    && ! setpriv --reuid=10001 --regid=10001 --clear-groups node bin/tintype.js serve --host 192.0.2.1 --data-dir /tmp/warm \
    && rm -r /tmp/warm && chown -R root:root node_modules/.cache && chmod -R a+rX node_modules/.cache
USER 10001:10001
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.TINTYPE_PORT || 8080) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "bin/tintype.js"]
CMD ["serve"]

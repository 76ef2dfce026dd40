#include "frame.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* ---- blocking ---- */

static bool send_all(int fd, const void *bytes, size_t n)
{
    const char *p = bytes;
    while (n) {
        ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        p += sent;
        n -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int fd, void *bytes, size_t n)
{
    char *p = bytes;
    while (n) {
        ssize_t got = recv(fd, p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

bool frame_send(int fd, FrameKind kind, const void *bytes, size_t n)
{
    FrameHead head = {kind, (uint32_t)n};
    return n <= FRAME_MOST && send_all(fd, &head, sizeof head) && send_all(fd, bytes, n);
}

bool frame_send_for(int fd, FrameKind kind, uint32_t number, uint32_t second, const void *bytes,
                    size_t n)
{
    struct {
        FrameHead head;
        uint32_t number, second;
    } start = {{kind, (uint32_t)n + 8}, number, second};
    return n <= FRAME_MOST - 8 && send_all(fd, &start, sizeof start) && send_all(fd, bytes, n);
}

bool frame_receive(int fd, FrameHead *head, Text *body)
{
    body->n = 0;
    if (!receive_all(fd, head, sizeof *head) || head->size > FRAME_MOST)
        return false;
    char part[65536];
    for (size_t left = head->size; left;) {
        size_t n = left < sizeof part ? left : sizeof part;
        if (!receive_all(fd, part, n))
            return false;
        text_put_n(body, part, n);
        left -= n;
    }
    text_put_n(body, "", 0);
    return true;
}

/* ---- the server's side ---- */

FrameRead frame_fill(FrameReader *r, int fd)
{
    enum { AT_ONCE = 4 << 20 };
    char part[65536];
    if (r->at) {
        memmove(r->buffer.at, r->buffer.at + r->at, r->buffer.n - r->at);
        r->buffer.n -= r->at;
        r->at = 0;
    }
    for (size_t taken = 0; taken < AT_ONCE;) {
        ssize_t got = recv(fd, part, sizeof part, MSG_DONTWAIT);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return FRAME_MORE;
        if (got <= 0)
            return FRAME_GONE;
        text_put_n(&r->buffer, part, (size_t)got);
        taken += (size_t)got;
    }
    return FRAME_MORE;
}

bool frame_next(FrameReader *r, FrameHead *head, const char **body)
{
    size_t have = r->buffer.n - r->at;
    if (have < sizeof *head)
        return false;
    memcpy(head, r->buffer.at + r->at, sizeof *head);
    if (have - sizeof *head < head->size)
        return false;
    *body = r->buffer.at + r->at + sizeof *head;
    r->at += sizeof *head + head->size;
    return true;
}

/* ---- descriptors ---- */

typedef union FdMessage {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr align;
} FdMessage;

bool frame_send_fd(int socket, int fd)
{
    FdMessage control = {0};
    struct iovec part = {&(char){1}, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
}

int frame_receive_fd(int socket)
{
    FdMessage control = {0};
    char byte;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t got;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    struct cmsghdr *c = got == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    int fd = -1;
    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}
